package org.testng;

import java.util.Set;

public interface IResultMap {
    Set<ITestResult> getAllResults();
}
