    private void visit(String module, Set<String> done, Set<String> path) {
        if (done.contains(module)) {
            return;
        }
        if (!path.add(module)) {
            throw new CycleException(module);
        }
        for (String needed : graph.needs(module)) {
            visit(needed, done, path);
        }
        path.remove(module);
        done.add(module);
    }
