# Lists the tests of a program and writes a file by which CTest knows each of them: see mazurka_discover_tests in
# mazurka-config.cmake. Run as a script after the program has been linked.
if(FRAMEWORK STREQUAL "googletest")
  set(question --gtest_list_tests)
elseif(FRAMEWORK STREQUAL "catch2")
  set(question --list-test-names-only)  # of Catch2 2; the exit status is their number
else()
  set(question --list-test-cases --no-intro=true --no-version=true)
endif()
execute_process(COMMAND "${PROGRAM}" ${question} WORKING_DIRECTORY "${FOLDER}"
  OUTPUT_VARIABLE output ERROR_VARIABLE trouble RESULT_VARIABLE status)
if(FRAMEWORK STREQUAL "catch2" AND trouble MATCHES "Unrecognised token")
  execute_process(COMMAND "${PROGRAM}" --list-tests --verbosity quiet WORKING_DIRECTORY "${FOLDER}"
    OUTPUT_VARIABLE output ERROR_VARIABLE trouble RESULT_VARIABLE status)
endif()
if(NOT status MATCHES "^[0-9]+$" OR (NOT FRAMEWORK STREQUAL "catch2" AND NOT status EQUAL 0))
  message(FATAL_ERROR "${PROGRAM} does not list its tests: ${status}\n${output}${trouble}")
endif()

# Semicolons and brackets would make other lists of it.
string(REPLACE ";" "\\;" output "${output}")
string(REPLACE "[" "<bracket>" output "${output}")
string(REPLACE "]" "<tekcarb>" output "${output}")
string(REPLACE "\n" ";" lines "${output}")

string(CONCAT script "# Written after ${PROGRAM} was linked.\nset(total 1)\nset(shard 0)\n"
  "if(DEFINED ENV{TEST_TOTAL_SHARDS} AND DEFINED ENV{TEST_SHARD_INDEX})\n"
  "  set(total \"\$ENV{TEST_TOTAL_SHARDS}\")\n  set(shard \"\$ENV{TEST_SHARD_INDEX}\")\nendif()\n")
set(number 0)
set(suite "")
foreach(line IN LISTS lines)
  string(REPLACE "<bracket>" "[" line "${line}")
  string(REPLACE "<tekcarb>" "]" line "${line}")
  if(FRAMEWORK STREQUAL "googletest")
    string(REGEX REPLACE " +#.*" "" line "${line}")
    if(line MATCHES "^[^ ].*\\.$")
      set(suite "${line}")
      continue()
    elseif(NOT line MATCHES "^  (.+)$")
      continue()
    endif()
    set(test "${suite}${CMAKE_MATCH_1}")
    if(test MATCHES "(^|\\.|/)DISABLED_")
      continue()
    endif()
    set(choice "--gtest_filter=${test}")
  else()
    string(STRIP "${line}" test)
    if(test STREQUAL "" OR test MATCHES "^\\[doctest\\]" OR test MATCHES "^=+$")
      continue()
    endif()
    # Commas and asterisks mean something in a choice of tests.
    string(REGEX REPLACE "([,*\\\\[])" "\\\\\\1" pattern "${test}")
    if(FRAMEWORK STREQUAL "catch2")
      set(choice "${pattern}")
    else()
      set(choice "--test-case=${pattern}")
    endif()
  endif()
  string(APPEND script "math(EXPR turn \"${number} % \${total}\")\nif(turn EQUAL shard)\n"
    "  add_test([==[${PREFIX}${test}]==] [==[${PROGRAM}]==] [==[${choice}]==])\n"
    "  set_tests_properties([==[${PREFIX}${test}]==] PROPERTIES LABELS mazurka WORKING_DIRECTORY [==[${FOLDER}]==]\n"
    "    SKIP_REGULAR_EXPRESSION \".  SKIPPED .;mazurka: incomplete:\" SKIP_RETURN_CODE 77\n"
    "    ENVIRONMENT [==[MAZURKA=${EXPLORER};MAZURKA_OPTIONS=${OPTIONS}]==]\n"
    "    ENVIRONMENT_MODIFICATION [==[TEST_TOTAL_SHARDS=unset:;TEST_SHARD_INDEX=unset:]==])\n")
  if(PROPERTIES)
    string(APPEND script "  set_tests_properties([==[${PREFIX}${test}]==] PROPERTIES")
    foreach(word IN LISTS PROPERTIES)
      string(APPEND script " [==[${word}]==]")
    endforeach()
    string(APPEND script ")\n")
  endif()
  string(APPEND script "endif()\n")
  math(EXPR number "${number} + 1")
endforeach()
if(number EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} has no tests:\n${output}")
endif()
file(WRITE "${RESULT}" "${script}")
