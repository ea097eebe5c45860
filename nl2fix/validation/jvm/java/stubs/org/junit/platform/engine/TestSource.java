package org.junit.platform.engine;

import java.io.Serializable;

public interface TestSource extends Serializable {
}
