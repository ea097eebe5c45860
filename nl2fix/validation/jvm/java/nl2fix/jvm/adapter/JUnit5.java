package nl2fix.jvm.adapter;

import java.util.Set;
import java.util.regex.Pattern;
import nl2fix.jvm.Events;
import nl2fix.jvm.TestAdapter;
import nl2fix.jvm.TestIds;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The JUnit platform with whatever engines are on the path (Jupiter, Vintage, …). */
public final class JUnit5 implements TestAdapter {
    private static final String FINDS_EXTENSIONS = "junit.jupiter.extensions.autodetection.enabled";
    private static final String IN_THREADS = "junit.jupiter.execution.parallel.enabled";
    /** In unique ids of tests that a method makes when it runs. */
    private static final Pattern MADE = Pattern.compile("-invocation:|\\[dynamic-test:");
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
        Offer offer = offer(builder, events);
        try {
            launcher.execute(builder.build(), new Listener(type, events, offer));
        } finally {
            if (offer != null) {
                offer.withdraw();
            }
        }
    }

    /** Null where nothing stops at a failure: without Jupiter, and in threads, which keep the loader of their start. */
    private static Offer offer(LauncherDiscoveryRequestBuilder builder, Events events) {
        ConfigurationParameters settings = builder.build().getConfigurationParameters();
        if (settings.getBoolean(IN_THREADS).orElse(false)) {
            return null;
        }
        boolean others = settings.getBoolean(FINDS_EXTENSIONS).orElse(false);
        try {
            Offer offer = new Offer(events, others);
            builder.configurationParameter(FINDS_EXTENSIONS, "true");
            return offer;
        } catch (LinkageError noJupiter) {
            return null;
        }
    }

    private static LauncherDiscoveryRequestBuilder all(Class<?> type) {
        return LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectClass(type));
    }

    private static final class Listener implements TestExecutionListener {
        private final Class<?> type;
        private final Events events;
        private final Offer offer;

        Listener(Class<?> type, Events events, Offer offer) {
            this.type = type;
            this.events = events;
            this.offer = offer;
        }

        @Override
        public void testPlanExecutionStarted(TestPlan plan) {
            offerToNextEngine();
        }

        private void offerToNextEngine() {
            if (offer != null) {
                offer.make();
            }
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (offer != null) {
                offer.withdraw();
            }
            if (test.isTest()) {
                String id = id(test);
                events.started(id);
                if (MADE.matcher(test.getUniqueId()).find()) {
                    events.called(id, TestIds.stable(test.getDisplayName()));
                }
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
            if (!test.getParentId().isPresent()) {
                offerToNextEngine();
            }
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
