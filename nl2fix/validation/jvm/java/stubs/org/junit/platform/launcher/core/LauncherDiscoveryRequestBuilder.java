package org.junit.platform.launcher.core;

import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;

public final class LauncherDiscoveryRequestBuilder {
    public static LauncherDiscoveryRequestBuilder request() {
        throw new UnsupportedOperationException();
    }

    public LauncherDiscoveryRequestBuilder selectors(DiscoverySelector... selectors) {
        throw new UnsupportedOperationException();
    }

    public LauncherDiscoveryRequestBuilder filters(Filter<?>... filters) {
        throw new UnsupportedOperationException();
    }

    public LauncherDiscoveryRequestBuilder configurationParameter(String key, String value) {
        throw new UnsupportedOperationException();
    }

    public LauncherDiscoveryRequest build() {
        throw new UnsupportedOperationException();
    }
}
