-- BETWEEN, NOT BETWEEN, IN and NOT IN with nulls in the column
SELECT id, s, n10 FROM {numbers} t
WHERE s BETWEEN -20000 AND 20000 AND n10 NOT BETWEEN -1.5 AND 1.5 AND grp_n IN (-3, 0, 2) AND small NOT IN (1, 2, 3) AND grp IN (1, 2.0)
ORDER BY id;
