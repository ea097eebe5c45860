package nl2fix.jvm.adapter;

import nl2fix.jvm.Events;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.opentest4j.TestAbortedException;

/** Disables what Jupiter would run behind a failure that ends all, which clears up as ever. Needs Jupiter 5.5. */
public final class JupiterStop implements ExecutionCondition, InvocationInterceptor {
    /** For the instance that Jupiter makes; null while tests run, whose code could find it here. */
    private static volatile Events offered;
    private final Events events = offered;

    static void offer(Events told) {
        offered = told;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return events.stopping()
                ? ConditionEvaluationResult.disabled("a test has failed")
                : ConditionEvaluationResult.enabled("no test has failed");
    }

    /** To dynamic tests no condition applies. */
    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
            throws Throwable {
        interceptDynamicTest(invocation, context);
    }

    /** As it is called before Jupiter 5.8. */
    @Override
    public void interceptDynamicTest(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
        if (events.stopping()) {
            throw new TestAbortedException();
        }
        invocation.proceed();
    }
}
