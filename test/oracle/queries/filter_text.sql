-- comparisons, IN and LIKE over texts with quotes, blanks, accents
SELECT id, name FROM {numbers} t
WHERE (name LIKE '%b%' OR name LIKE '_' OR name LIKE 'Z%ch' OR name = 'it''s' OR name IN ('', '東京', 'x_y') OR name > 'Æ')
ORDER BY id;
