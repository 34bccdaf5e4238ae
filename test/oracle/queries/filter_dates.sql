-- date literals and arithmetic, month ends, days before 1970
SELECT id, d, d + 30 AS later, d - 365 AS earlier, d - date '2000-02-29' AS days, d2 + interval '1 month' AS month_later
FROM {numbers} t
WHERE d >= date '1950-01-31' AND d < date '1950-01-31' + interval '20 years' AND d2 > date '1996-03-31' - interval '1 month'
ORDER BY id;
