-- no table at all: literals of each type
SELECT 1 AS a, -2.50 AS b, 'it''s' AS c, date '1999-12-31' AS d, NULL AS e, true AS f, 1e3 AS g, 1 + 2 * 3 AS h, 'x' AS "Mixed Case";
