-- no row in, no row out
SELECT e.key, d.code FROM {no_rows} e JOIN {dims} d ON e.key = d.key ORDER BY 1;
