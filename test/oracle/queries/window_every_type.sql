-- minima, maxima and values of every type, sums of wide numerics and doubles over sliding frames
SELECT id,
       min(s) OVER w AS s, max(i) OVER w AS i, min(b) OVER w AS b, max(price) OVER w AS p, min(rate) OVER w AS r, max(n38) OVER w AS n38,
       min(d) OVER w AS d, max(x) OVER w AS x, min(y) OVER w AS y, max(name) OVER w AS name,
       sum(n38) OVER w AS wide, sum(b) OVER w AS big, count(flag) OVER w AS flags,
       last_value(n10) OVER w AS n10, lead(flag) OVER (ORDER BY id) AS next_flag
FROM {numbers} t WHERE id < 60000 WINDOW w AS (PARTITION BY grp ORDER BY id ROWS BETWEEN 4 PRECEDING AND 1 FOLLOWING) ORDER BY id;
