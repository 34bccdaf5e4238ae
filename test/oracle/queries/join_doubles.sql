-- doubles as join keys: NaN equals NaN, -0.0 equals 0.0
SELECT count(*), sum(a.small) FROM {numbers} a JOIN {numbers} b ON a.y = b.y WHERE a.id < 2000 AND b.id < 2000;
