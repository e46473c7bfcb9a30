# find_package(mazurka) gives the command
#
#   mazurka_add_test(name source…
#     [EXPECT kind]             the test passes if a bug of this kind is found: deadlock, assertion, …
#     [OPTIONS option…]         of `mazurka check`: --plain=explore, --time-limit=60, …
#     [ARGUMENTS argument…]     of the program
#     [LIBRARIES library…]      to link; their code is seen by Mazurka if they are built by mazurka_add_library
#     [REPORTS])                writes name.html, name.sarif and name.xml (JUnit) beside the program
#
# which builds a program with Mazurka's runtime by the compiler of the project, and adds a test that explores all of its
# executions. The test passes only if every execution was explored and none fails. And
#
#   mazurka_add_library(name source…)
#
# for a static library whose code is instrumented, to be linked to such programs.
get_filename_component(MAZURKA_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(MAZURKA_EXECUTABLE "${MAZURKA_PREFIX}/bin/mazurka")
if(CMAKE_VERSION VERSION_LESS 3.21)
  set(mazurka_FOUND FALSE)
  set(mazurka_NOT_FOUND_MESSAGE "Mazurka needs CMake 3.21, where compilers and linkers have launchers")
  return()
endif()
if(NOT EXISTS "${MAZURKA_EXECUTABLE}")
  set(mazurka_FOUND FALSE)
  set(mazurka_NOT_FOUND_MESSAGE "${MAZURKA_EXECUTABLE} is missing: the installation is not complete")
  return()
endif()

# The compiler of the project is started through `mazurka launch`, which adds what instruments and what links.
function(_mazurka_instrument name)
  foreach(language C CXX)
    set_target_properties(${name} PROPERTIES
      ${language}_COMPILER_LAUNCHER "${MAZURKA_EXECUTABLE};launch"
      ${language}_LINKER_LAUNCHER "${MAZURKA_EXECUTABLE};launch")
  endforeach()
  # Reports show lines of code, and steps stand for what is written there only without optimisation: the compilers
  # remove loads and stores before they instrument the rest.
  target_compile_options(${name} PRIVATE -g -O0)
  find_package(Threads REQUIRED)
  target_link_libraries(${name} PRIVATE Threads::Threads)
  # Objects must be made again when the runtime's headers change, programs when the runtime does.
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${MAZURKA_PREFIX}/lib/mazurka/libmazurka_runtime.a")
endfunction()

function(mazurka_add_library name)
  add_library(${name} STATIC ${ARGN})
  _mazurka_instrument(${name})
endfunction()

function(mazurka_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "REPORTS" "EXPECT" "OPTIONS;ARGUMENTS;LIBRARIES")
  if(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mazurka_add_test(${name}): name the sources of the program")
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _mazurka_instrument(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  set(options ${ARG_OPTIONS})
  if(ARG_REPORTS)
    set(report "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    list(APPEND options --html "${report}.html" --sarif "${report}.sarif" --junit "${report}.xml")
  endif()
  set(command "${MAZURKA_EXECUTABLE}" check ${options} "$<TARGET_FILE:${name}>")
  if(ARG_ARGUMENTS)
    list(APPEND command -- ${ARG_ARGUMENTS})
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES LABELS mazurka)
  if(ARG_EXPECT)
    set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "(^|\n)${ARG_EXPECT}: ")
  endif()
  if(ARG_REPORTS)
    # CTest reads them into its own results (ctest -T Test), from where a dashboard shows them.
    set_tests_properties(${name} PROPERTIES
      ATTACHED_FILES "${report}.xml" ATTACHED_FILES_ON_FAIL "${report}.html")
  endif()
endfunction()
