SELECT id, u FROM {many_texts}
WHERE (u LIKE '%ab%' OR w LIKE 'q%' OR u LIKE '%c%#%9') AND v <> 'a' AND w NOT LIKE '%zz%' AND u > 'd' ORDER BY id
