package org.testng;

public interface ITestResult {
    ITestNGMethod getMethod();

    IClass getTestClass();

    Throwable getThrowable();
}
