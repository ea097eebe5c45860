package org.testng;

import java.util.List;

public interface IMethodInterceptor {
    List<IMethodInstance> intercept(List<IMethodInstance> methods, ITestContext context);
}
