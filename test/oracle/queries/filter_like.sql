-- an escape character, underscores over multi-byte characters, NOT LIKE
SELECT name, count(*) FROM {numbers} t
WHERE name LIKE '%\%' OR name LIKE '_rø' OR name LIKE '__' OR name NOT LIKE '%a%' OR name LIKE 'x\_y'
GROUP BY name ORDER BY name;
-- for DuckDB:
SELECT name, count(*) FROM {numbers} t
WHERE name LIKE '%\%' ESCAPE '\' OR name LIKE '_rø' OR name LIKE '__' OR name NOT LIKE '%a%' OR name LIKE 'x\_y' ESCAPE '\'
GROUP BY name ORDER BY name;
