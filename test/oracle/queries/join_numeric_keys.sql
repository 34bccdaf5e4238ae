-- numerics of different scales as join keys, and a join over numerics and dates
SELECT count(*), sum(a.id), sum(b.id), min(c.id) FROM {numbers} a JOIN {numbers} b ON a.price = b.price AND a.d2 = b.d2
  JOIN {numbers} c ON c.n0 = b.price;
