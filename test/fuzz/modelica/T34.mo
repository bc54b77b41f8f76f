partial package Medium constant Integer n; replaceable partial model Props Real X[n]; end Props; end Medium;
package Air extends Medium(n = 2);
  redeclare model extends Props equation X = {0, 1}; end Props;
end Air;
model T34 Air.Props m; end T34;
