model C parameter Real a[2]; parameter Real d; end C;
model T24 C c[3](each a = {1, 2}, d = {1, 2, 3}); end T24;
