package nl2fix.jvm.adapter;

import java.util.Set;
import nl2fix.jvm.Events;
import nl2fix.jvm.TestAdapter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The JUnit platform with whatever engines are on the path (Jupiter, Vintage, …). */
public final class JUnit5 implements TestAdapter {
    private final Launcher launcher = LauncherFactory.create();

    @Override
    public boolean accepts(Class<?> type) {
        return launcher.discover(all(type).build()).containsTests();
    }

    @Override
    public void run(Class<?> type, final Set<String> methods, Events events) {
        LauncherDiscoveryRequestBuilder builder = all(type);
        if (!methods.isEmpty()) {
            builder.filters(new PostDiscoveryFilter() {
                @Override
                public FilterResult apply(TestDescriptor descriptor) {
                    TestSource source = descriptor.getSource().orElse(null);
                    boolean unwanted = source instanceof MethodSource
                            && !methods.contains(((MethodSource) source).getMethodName());
                    return FilterResult.includedIf(!unwanted);
                }
            });
        }
        launcher.execute(builder.build(), new Listener(type, events));
    }

    private static LauncherDiscoveryRequestBuilder all(Class<?> type) {
        return LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectClass(type));
    }

    private static final class Listener implements TestExecutionListener {
        private final Class<?> type;
        private final Events events;

        Listener(Class<?> type, Events events) {
            this.type = type;
            this.events = events;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                events.started(id(test));
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            String id = id(test);
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                events.failed(id, result.getThrowable().orElse(new AssertionError("failed without a cause")));
            } else if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
                events.skipped(id);
            }
            events.finished(id);
        }

        /** {@code Class::method}, with the invocation where one method makes several tests. */
        private String id(TestIdentifier test) {
            TestSource source = test.getSource().orElse(null);
            if (source instanceof MethodSource) {
                MethodSource method = (MethodSource) source;
                String unique = test.getUniqueId();
                int invocation = unique.lastIndexOf("-invocation:");
                String suffix = invocation < 0
                        ? "" : "[" + unique.substring(invocation + 12).replaceAll("[^0-9]", "") + "]";
                return method.getClassName() + "::" + method.getMethodName() + suffix;
            }
            return source instanceof ClassSource ? ((ClassSource) source).getClassName() : type.getName();
        }
    }
}
