package org.junit.jupiter.api.extension;

public class ConditionEvaluationResult {
    public static ConditionEvaluationResult enabled(String reason) {
        throw new UnsupportedOperationException();
    }

    public static ConditionEvaluationResult disabled(String reason) {
        throw new UnsupportedOperationException();
    }
}
