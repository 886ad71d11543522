package dev.millrace.scheduler.expression;

/** Where a path begins. */
public sealed interface Root {
    /** The value there. */
    JsonValue value(Scope scope);

    private static EvaluationFailed outsideOfLoop(Root root) {
        return new EvaluationFailed(root + " does not exist here: there are not that many loops around the step.");
    }

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

    /** {@code steps.ID?.result}: the result of a step that may not have ended, or may not be seen; null then. */
    record StepResultIfAny(String id) implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.findStepResult(id).orElse(JsonValue.NULL);
        }

        @Override
        public String toString() {
            return "steps." + id + "?.result";
        }
    }

    /**
     * {@code item}, and {@code outer.item} of the loop around.
     *
     * @param outward 0 is the innermost loop, 1 the one around it
     */
    record Item(int outward) implements Root {
        public Item() {
            this(0);
        }

        @Override
        public JsonValue value(Scope scope) {
            return outward == 0 ? scope.item() : scope.item(outward).orElseThrow(() -> outsideOfLoop(this));
        }

        @Override
        public String toString() {
            return "outer.".repeat(outward) + "item";
        }
    }

    /**
     * {@code index}, and {@code outer.index} of the loop around.
     *
     * @param outward 0 is the innermost loop, 1 the one around it
     */
    record Index(int outward) implements Root {
        public Index() {
            this(0);
        }

        @Override
        public JsonValue value(Scope scope) {
            int index = outward == 0 ? scope.index() : scope.index(outward);
            if (index < 0) {
                throw outsideOfLoop(this);
            }
            return JsonValue.of(index);
        }

        @Override
        public String toString() {
            return "outer.".repeat(outward) + "index";
        }
    }

    /** {@code vars}: the variables of the run. */
    record Variables() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.variables();
        }

        @Override
        public String toString() {
            return "vars";
        }
    }

    /** {@code env}: the environment of the flow. */
    record Environment() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.env();
        }

        @Override
        public String toString() {
            return "env";
        }
    }

    /** {@code result}: what the step itself resulted in. */
    record Result() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.result()
                    .orElseThrow(
                            () -> new EvaluationFailed(
                                    "result does not exist here: it is there only while it is decided what follows from the end of a step."));
        }

        @Override
        public String toString() {
            return "result";
        }
    }

    /** {@code results_so_far}: what the iterations of the loop have resulted in so far. */
    record ResultsSoFar() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.resultsSoFar()
                    .orElseThrow(() -> new EvaluationFailed(
                            "results_so_far does not exist here: it is there only between two iterations of a loop."));
        }

        @Override
        public String toString() {
            return "results_so_far";
        }
    }

    /** {@code error}: why the step itself, or the run, failed. */
    record Failure() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.error()
                    .orElseThrow(
                            () -> new EvaluationFailed(
                                    "error does not exist here: it is there only while it is decided what follows from a failure."));
        }

        @Override
        public String toString() {
            return "error";
        }
    }

    /** {@code retry}: which retry of the step this is. */
    record Retry() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return JsonValue.of(scope.retry()
                    .orElseThrow(() -> new EvaluationFailed(
                            "retry does not exist here: it is there only in what runs before a retry.")));
        }

        @Override
        public String toString() {
            return "retry";
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
