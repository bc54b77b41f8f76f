model T05 Boolean c = not 1 == 2; Boolean d = true or false and false; end T05;
