package org.junit.platform.launcher;

import org.junit.platform.engine.ConfigurationParameters;

public interface LauncherDiscoveryRequest {
    ConfigurationParameters getConfigurationParameters();
}
