package org.junit.platform.engine;

import java.util.Optional;

public interface TestDescriptor {
    Optional<TestSource> getSource();
}
