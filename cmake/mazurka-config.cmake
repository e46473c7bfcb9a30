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
# for a static library whose code is instrumented, to be linked to such programs. For unit tests that check closures
# (<mazurka/test.hpp>) there are
#
#   mazurka_add_executable(name source… [LIBRARIES library…])
#   mazurka_discover_tests(name
#     [FRAMEWORK framework]     googletest (the default), catch2 or doctest
#     [OPTIONS option…]         of every check: --time-limit=60, …
#     [PREFIX prefix]           of the names of the tests; the name of the program and a dot if not given
#     [WORKING_DIRECTORY folder]
#     [PROPERTIES name value…]) of the tests
#
# The second makes every test of a program a test of CTest. One with an incomplete check counts as skipped. Where the
# environment says TEST_TOTAL_SHARDS and TEST_SHARD_INDEX, CTest knows only the tests of that shard.
get_filename_component(MAZURKA_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(MAZURKA_EXECUTABLE "${MAZURKA_PREFIX}/bin/mazurka")
set(MAZURKA_INCLUDE_DIR "${MAZURKA_PREFIX}/include")  # for tests that are built without Mazurka
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

function(mazurka_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LIBRARIES")
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _mazurka_instrument(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
endfunction()

set(_MAZURKA_DISCOVERY "${CMAKE_CURRENT_LIST_DIR}/MazurkaDiscovery.cmake")
function(mazurka_discover_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "FRAMEWORK;PREFIX;WORKING_DIRECTORY" "OPTIONS;PROPERTIES")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mazurka_discover_tests(${name}): what is ${ARG_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT ARG_FRAMEWORK)
    set(ARG_FRAMEWORK googletest)
  endif()
  if(NOT ARG_FRAMEWORK MATCHES "^(googletest|catch2|doctest)$")
    message(FATAL_ERROR "mazurka_discover_tests(${name}): FRAMEWORK is googletest, catch2 or doctest")
  endif()
  if(NOT DEFINED ARG_PREFIX)
    set(ARG_PREFIX "${name}.")
  endif()
  if(NOT ARG_WORKING_DIRECTORY)
    set(ARG_WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  string(REPLACE ";" " " options "${ARG_OPTIONS}")
  set(tests "${CMAKE_CURRENT_BINARY_DIR}/${name}_tests.cmake")
  add_custom_command(TARGET ${name} POST_BUILD BYPRODUCTS "${tests}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" -D "PROGRAM=$<TARGET_FILE:${name}>" -D "FRAMEWORK=${ARG_FRAMEWORK}"
      -D "PREFIX=${ARG_PREFIX}" -D "FOLDER=${ARG_WORKING_DIRECTORY}" -D "EXPLORER=${MAZURKA_EXECUTABLE}"
      -D "OPTIONS=${options}" -D "PROPERTIES=${ARG_PROPERTIES}" -D "RESULT=${tests}" -P "${_MAZURKA_DISCOVERY}")
  # Before the first build there are none.
  set(include "${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake")
  file(WRITE "${include}" "if(EXISTS \"${tests}\")\n  include(\"${tests}\")\nelse()\n"
    "  add_test(\"${name}_NOT_BUILT\" \"${name}_NOT_BUILT\")\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include}")
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
