-- dates as join keys, repeated
SELECT f.at, count(*) AS n, sum(f.amount) FROM {facts} f JOIN {dims} d ON f.at = d.since GROUP BY f.at ORDER BY f.at;
