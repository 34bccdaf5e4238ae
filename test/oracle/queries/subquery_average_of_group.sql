SELECT count(*) FROM {numbers} n WHERE n.id > (SELECT avg(m.id) FROM {numbers} m WHERE m.grp = n.grp);
