package org.testng;

public interface ITestNGMethod {
    String getMethodName();

    String[] getGroupsDependedUpon();

    String[] getMethodsDependedUpon();
}
