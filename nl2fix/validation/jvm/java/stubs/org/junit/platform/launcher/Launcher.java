package org.junit.platform.launcher;

public interface Launcher {
    TestPlan discover(LauncherDiscoveryRequest request);

    void execute(LauncherDiscoveryRequest request, TestExecutionListener... listeners);
}
