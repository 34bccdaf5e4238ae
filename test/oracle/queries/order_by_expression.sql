-- ORDER BY an expression and a column that is not in the result
SELECT id FROM {numbers} t WHERE small > 90 ORDER BY small % 5 DESC, price * -1, id;
