package org.testng;

public interface ITestContext {
    IResultMap getFailedConfigurations();
}
