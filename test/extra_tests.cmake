# Tests that are no unit tests: the house rules, SQL scripts, and answers compared with DuckDB's; the last two over the whole
# binary and on each configuration of test/saccade_shell.py. What a machine lacks (mpirun, a GPU) is skipped with a message.
set(SACCADE_PYTHON ${CMAKE_SOURCE_DIR}/.venv/bin/python)
set(SACCADE_TEST_DATA ${CMAKE_BINARY_DIR}/test_data)

add_test(NAME house.check_self_test COMMAND ${SACCADE_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check --self-test)

# Its last line shows that it came to its end.
add_test(NAME examples.query COMMAND saccade_example)
set_tests_properties(examples.query PROPERTIES PASS_REGULAR_EXPRESSION
  "Arrow: the sum is 2005760\n1 . 2005760\n22012: division by zero")
# Damaged files, thousands of them in one process. By hand with --full: cut at every length, 10,000 flipped bits a file.
add_executable(hostile_files ${CMAKE_SOURCE_DIR}/test/hostile/hostile_files.cpp)
target_link_libraries(hostile_files PRIVATE saccade_storage)
add_test(NAME files.hostile COMMAND hostile_files ${CMAKE_SOURCE_DIR}/test/data/parquet)
set_tests_properties(files.hostile PROPERTIES TIMEOUT 1200)

if(TARGET saccade)
  add_test(NAME data.own COMMAND ${SACCADE_PYTHON} ${CMAKE_SOURCE_DIR}/test/oracle/make_data.py ${SACCADE_TEST_DATA})
  add_test(NAME data.tpch_001 COMMAND ${CMAKE_SOURCE_DIR}/scripts/tpch_data 0.01
           customer orders lineitem part partsupp supplier nation region)
  add_test(NAME data.tpch_1 COMMAND ${CMAKE_SOURCE_DIR}/scripts/tpch_data 1 region nation supplier customer part
           partsupp orders lineitem)
  set_tests_properties(data.own PROPERTIES FIXTURES_SETUP own_data)
  set_tests_properties(data.tpch_001 PROPERTIES FIXTURES_SETUP tpch_001)
  set_tests_properties(data.tpch_1 PROPERTIES FIXTURES_SETUP tpch_1)

  # saccade_sql_test(name FIXTURES ... PROCESSORS n COMMAND ...)
  function(saccade_sql_test name)
    cmake_parse_arguments(TEST "" "PROCESSORS" "FIXTURES;COMMAND" ${ARGN})
    add_test(NAME ${name} COMMAND ${SACCADE_PYTHON} ${TEST_COMMAND})
    set_tests_properties(${name} PROPERTIES
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} ENVIRONMENT "SACCADE_TEST_DATA=${SACCADE_TEST_DATA}" SKIP_RETURN_CODE 77
      TIMEOUT 1200 PROCESSORS ${TEST_PROCESSORS} FIXTURES_REQUIRED "${TEST_FIXTURES}")
  endfunction()

  file(GLOB slt_files RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/test/sql/*.slt)
  set(oracle ${CMAKE_SOURCE_DIR}/test/oracle/run_oracle.py $<TARGET_FILE:saccade>)
  foreach(configuration cpu-1 cpu-2 shim ranks-2 ranks-3 shim-ranks-2 mpi-2 gpu gpu-ranks-2 gpu-mpi-2)
    set(processors 2)
    if(configuration STREQUAL cpu-1)
      set(processors 1)
    endif()
    saccade_sql_test(sql.${configuration} FIXTURES own_data PROCESSORS ${processors}
      COMMAND ${CMAKE_SOURCE_DIR}/test/sql/run_slt.py $<TARGET_FILE:saccade> ${configuration} ${slt_files})
    foreach(source parquet memory)
      saccade_sql_test(oracle.${configuration}.${source} FIXTURES own_data tpch_001 PROCESSORS ${processors}
        COMMAND ${oracle} ${configuration} ${source})
    endforeach()
  endforeach()
  foreach(configuration cpu-2 ranks-3)
    saccade_sql_test(random_joins.${configuration} PROCESSORS 2
      COMMAND ${CMAKE_SOURCE_DIR}/test/oracle/run_joins.py $<TARGET_FILE:saccade> ${configuration} --count 300)
    saccade_sql_test(random_subqueries.${configuration} PROCESSORS 2
      COMMAND ${CMAKE_SOURCE_DIR}/test/oracle/run_joins.py $<TARGET_FILE:saccade> ${configuration} --count 200 --seed 2 --subqueries)
  endforeach()
  # Random queries over windows, set operations and aggregates; the same ones at every run.
  foreach(configuration cpu-1 cpu-2 shim ranks-2 ranks-3)
    saccade_sql_test(random.${configuration} PROCESSORS 2
      COMMAND ${CMAKE_SOURCE_DIR}/test/oracle/run_random.py $<TARGET_FILE:saccade> ${configuration})
  endforeach()
  saccade_sql_test(sql.bad_input FIXTURES tpch_001 PROCESSORS 2
    COMMAND ${CMAKE_SOURCE_DIR}/test/sql/run_bad_input.py $<TARGET_FILE:saccade>)
  saccade_sql_test(sql.failures FIXTURES tpch_001 PROCESSORS 2
    COMMAND ${CMAKE_SOURCE_DIR}/test/sql/run_failures.py $<TARGET_FILE:saccade>)
  saccade_sql_test(sql.limits PROCESSORS 1 COMMAND ${CMAKE_SOURCE_DIR}/test/sql/run_limits.py $<TARGET_FILE:saccade>)
  foreach(part shell terminal)
    saccade_sql_test(shell.${part} PROCESSORS 1 COMMAND ${CMAKE_SOURCE_DIR}/test/shell/run_${part}.py $<TARGET_FILE:saccade>)
  endforeach()
  saccade_sql_test(files.readers PROCESSORS 1
    COMMAND ${CMAKE_SOURCE_DIR}/test/files/run_files.py $<TARGET_FILE:saccade> cpu-1)
  saccade_sql_test(files.random PROCESSORS 2
    COMMAND ${CMAKE_SOURCE_DIR}/test/files/run_random_parquet.py $<TARGET_FILE:saccade> cpu-2)
  saccade_sql_test(tpch.files PROCESSORS 2 COMMAND ${CMAKE_SOURCE_DIR}/test/tpch/run_tpch.py $<TARGET_FILE:saccade>)
  # The 22 queries at scale factor 1.
  foreach(configuration cpu-1 cpu-2 ranks-2 gpu)
    foreach(source parquet memory)
      saccade_sql_test(oracle_sf1.${configuration}.${source} FIXTURES tpch_1 PROCESSORS 2
        COMMAND ${oracle} ${configuration} ${source} --scale 1)
    endforeach()
  endforeach()
endif()
