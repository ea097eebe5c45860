package nl2fix.jvm.adapter;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import nl2fix.jvm.Events;
import nl2fix.jvm.TestAdapter;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.SkipException;

/** TestNG, each class as a suite of its own: what a suite's file says of others is not read. */
public final class TestNG implements TestAdapter {
    private static final String PACKAGE = "org.testng.annotations.";

    @Override
    public boolean accepts(Class<?> type) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            if (annotated(c)) {
                return true;
            }
            for (Method method : c.getDeclaredMethods()) {
                if (annotated(method)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean annotated(AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().startsWith(PACKAGE)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void run(Class<?> type, Set<String> methods, Events events) throws Exception {
        link(type);
        org.testng.TestNG suite = new org.testng.TestNG(false);
        suite.setVerbose(0);
        suite.setDataProviderThreadCount(1);
        suite.setTestClasses(new Class<?>[] {type});
        listen(suite, new Listener(type, methods, events));
        suite.run();
    }

    /** Fails where a method needs a class that is missing: TestNG says nothing then and runs no test. */
    private static void link(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            c.getDeclaredMethods();
        }
    }

    /** The parameter's type is another in each line of versions. */
    private static void listen(org.testng.TestNG suite, Object listener) throws Exception {
        for (Method method : org.testng.TestNG.class.getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            if (method.getName().equals("addListener") && types.length == 1
                    && (types[0] == Object.class || types[0].getSimpleName().equals("ITestNGListener"))) {
                method.invoke(suite, listener);
                return;
            }
        }
        throw new IllegalStateException("this TestNG takes no listeners");
    }

    private static final class Listener implements ITestListener, IMethodInterceptor {
        private final Class<?> type;
        private final Set<String> wanted;
        private final Events events;
        /** Method → how often it was begun. */
        private final Map<String, Integer> times = new HashMap<>();
        private final Map<ITestResult, String> open = new HashMap<>();

        Listener(Class<?> type, Set<String> wanted, Events events) {
            this.type = type;
            this.wanted = new HashSet<>();
            for (String method : wanted) {
                int bracket = method.indexOf('[');
                this.wanted.add(bracket < 0 ? method : method.substring(0, bracket));
            }
            this.events = events;
        }

        /** Unless some depend on others: those are left to TestNG, and unwanted ones are not told. */
        @Override
        public List<IMethodInstance> intercept(List<IMethodInstance> all, ITestContext context) {
            List<IMethodInstance> kept = new ArrayList<>();
            for (IMethodInstance instance : all) {
                ITestNGMethod method = instance.getMethod();
                if (method.getMethodsDependedUpon().length + method.getGroupsDependedUpon().length > 0) {
                    return all;
                }
                if (isWanted(method)) {
                    kept.add(instance);
                }
            }
            return kept;
        }

        private boolean isWanted(ITestNGMethod method) {
            return wanted.isEmpty() || wanted.contains(method.getMethodName());
        }

        @Override
        public synchronized void onTestStart(ITestResult result) {
            begun(result);
        }

        /** Tests that are skipped were not started in every version. */
        private String begun(ITestResult result) {
            String id = open.get(result);
            if (id == null) {
                String method = result.getTestClass().getName() + "::" + result.getMethod().getMethodName();
                int time = times.containsKey(method) ? times.get(method) + 1 : 1;
                times.put(method, time);
                id = time == 1 ? method : method + "[" + time + "]";
                open.put(result, id);
                if (isWanted(result.getMethod())) {
                    events.started(id);
                }
            }
            return id;
        }

        @Override
        public synchronized void onTestSuccess(ITestResult result) {
            end(result, begun(result));
        }

        @Override
        public synchronized void onTestFailure(ITestResult result) {
            fail(result, begun(result));
        }

        @Override
        public synchronized void onTestFailedButWithinSuccessPercentage(ITestResult result) {
            end(result, begun(result));
        }

        /** What is not run because something before it failed counts as failed, as it is not run on purpose. */
        @Override
        public synchronized void onTestSkipped(ITestResult result) {
            String id = begun(result);
            if (!(result.getThrowable() instanceof SkipException)) {
                fail(result, id);
                return;
            }
            if (isWanted(result.getMethod())) {
                events.skipped(id);
            }
            end(result, id);
        }

        private void fail(ITestResult result, String id) {
            if (isWanted(result.getMethod())) {
                Throwable cause = result.getThrowable();
                events.failed(id, cause != null ? cause : new AssertionError("what it depends on has failed"));
            }
            end(result, id);
        }

        private void end(ITestResult result, String id) {
            open.remove(result);
            if (isWanted(result.getMethod())) {
                events.finished(id);
            }
        }

        @Override
        public void onStart(ITestContext context) {
            // Told by its tests.
        }

        /** Methods that set up or clear up are no tests; of those that fail the class fails. */
        @Override
        public synchronized void onFinish(ITestContext context) {
            for (ITestResult result : context.getFailedConfigurations().getAllResults()) {
                events.failed(type.getName(), result.getThrowable());
            }
        }
    }
}
