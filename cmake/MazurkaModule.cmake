# One folder of src/ is one module: a static library of its sources and a test program of its *_test.cpp files.
# DEPENDS names the modules below it (a test enforces that includes agree), LIBRARIES what comes from outside. FUZZED:
# it has readers that fuzzers steer by coverage.

add_library(mazurka_options INTERFACE)
target_compile_options(mazurka_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wconversion -Wno-sign-conversion -Werror)
if(MAZURKA_SANITIZE)
  # gcc's flow analysis sees uninitialised values in the standard library where the sanitizers add branches.
  target_compile_options(mazurka_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(mazurka_options INTERFACE -fsanitize=address,undefined)
endif()

function(mazurka_module name)
  cmake_parse_arguments(ARG "FUZZED" "" "DEPENDS;LIBRARIES;TEST_LIBRARIES" ${ARGN})
  set(folder "${CMAKE_SOURCE_DIR}/src/${name}")
  file(GLOB tests CONFIGURE_DEPENDS "${folder}/*_test.cpp")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  list(REMOVE_ITEM sources ${tests} "${folder}/main.cpp")
  list(TRANSFORM ARG_DEPENDS PREPEND mazurka_)
  add_library(mazurka_${name} STATIC ${sources})
  target_include_directories(mazurka_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(mazurka_${name} PUBLIC ${ARG_DEPENDS} fmt::fmt ${ARG_LIBRARIES} PRIVATE mazurka_options)
  if(MAZURKA_FUZZ AND ARG_FUZZED)
    target_compile_options(mazurka_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(MAZURKA_TESTS AND tests)
    mazurka_test(${name}_test SOURCES ${tests} LIBRARIES mazurka_${name} ${ARG_TEST_LIBRARIES})
  endif()
endfunction()

# A GoogleTest program; every test in it becomes a CTest of its own. Those that are instantiated as Nightly have the
# label nightly: `make test` leaves them out, `make nightly` runs them.
function(mazurka_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gtest_main GTest::gmock rapidcheck mazurka_options)
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_compile_options(${name} PRIVATE ${MAZURKA_COLD_OPTIMISATION})
  target_compile_definitions(${name} PRIVATE MAZURKA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" MAZURKA_BUILD_DIR="${CMAKE_BINARY_DIR}"
    MAZURKA_BINARY="$<TARGET_FILE:mazurka>")
  gtest_discover_tests(${name} TEST_PREFIX "${name}." TEST_FILTER "-Nightly/*" DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT 900)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." TEST_FILTER "Nightly/*" DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS nightly TIMEOUT 28800)
endfunction()

# A libFuzzer target for one reader; `make fuzz` runs each for a minute on the seeds in tests/fuzz/corpus/<name>.
function(mazurka_fuzzer name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  add_executable(fuzz_${name} fuzz_${name}.cpp)
  target_link_libraries(fuzz_${name} PRIVATE ${ARG_LIBRARIES} mazurka_options)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()
