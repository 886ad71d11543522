package dev.millrace.scheduler.expression;

/** Where a path begins. */
public sealed interface Root {
    /** The value there. */
    JsonValue value(Scope scope);

    /** {@code inputs}. */
    record Inputs() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.inputs();
        }

        @Override
        public String toString() {
            return "inputs";
        }
    }

    /** {@code steps.ID.result}. */
    record StepResult(String id) implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.stepResult(id);
        }

        @Override
        public String toString() {
            return "steps." + id + ".result";
        }
    }

    /** {@code item}. */
    record Item() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.item();
        }

        @Override
        public String toString() {
            return "item";
        }
    }

    /** {@code index}. */
    record Index() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return JsonValue.of(scope.index());
        }

        @Override
        public String toString() {
            return "index";
        }
    }

    /** {@code run.id}. */
    record Run() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return JsonValue.ofString(scope.runId());
        }

        @Override
        public String toString() {
            return "run.id";
        }
    }
}
