# Tests that are no unit tests: the house rules, SQL scripts, and answers compared with DuckDB's.
set(SACCADE_PYTHON ${CMAKE_SOURCE_DIR}/.venv/bin/python)

add_test(NAME house.check_self_test COMMAND ${SACCADE_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/check --self-test)
