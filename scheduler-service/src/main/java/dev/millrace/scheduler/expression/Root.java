package dev.millrace.scheduler.expression;

/** Start of a path. */
public sealed interface Root {
    /** Returns the value of the root. */
    JsonValue value(Scope scope);

    private static EvaluationFailed outsideOfLoop(Root root) {
        return new EvaluationFailed(root + " does not exist here: the step is inside fewer loops.");
    }

    /** The path {@code inputs}. */
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

    /** The path {@code steps.ID.result}. */
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

    /** The path {@code steps.ID?.result}: the result of a step; null if the step is not visible or has not ended. */
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
     * The path {@code item}, or {@code outer.item} for a loop further out.
     *
     * @param outward 0 for the innermost loop, 1 for the next one outward, and so on
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
     * The path {@code index}, or {@code outer.index} for a loop further out.
     *
     * @param outward 0 for the innermost loop, 1 for the next one outward, and so on
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

    /** The path {@code vars}: the variables of the run. */
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

    /** The path {@code env}: the environment of the flow. */
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

    /** The path {@code result}: the result of the step that contains the expression. */
    record Result() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.result()
                    .orElseThrow(
                            () -> new EvaluationFailed(
                                    "result does not exist here: it exists only in expressions evaluated after the end of a step."));
        }

        @Override
        public String toString() {
            return "result";
        }
    }

    /** The path {@code results_so_far}: the results of the iterations that have ended. */
    record ResultsSoFar() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.resultsSoFar()
                    .orElseThrow(() -> new EvaluationFailed(
                            "results_so_far does not exist here: it exists only between two iterations of a loop."));
        }

        @Override
        public String toString() {
            return "results_so_far";
        }
    }

    /** The path {@code error}: the failure of the step that contains the expression, or of the run. */
    record Failure() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return scope.error()
                    .orElseThrow(() -> new EvaluationFailed(
                            "error does not exist here: it exists only in expressions evaluated after a failure."));
        }

        @Override
        public String toString() {
            return "error";
        }
    }

    /** The path {@code retry}: the number of the retry. */
    record Retry() implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return JsonValue.of(scope.retry()
                    .orElseThrow(() -> new EvaluationFailed(
                            "retry does not exist here: it exists only in tasks that run before a retry.")));
        }

        @Override
        public String toString() {
            return "retry";
        }
    }

    /** The path {@code run.id}. */
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

    /**
     * A secret or a resource, such as {@code secrets.shop.api_key}. Flows never see its value. They see a text that
     * stands for it, and the worker puts the value in its place right before the step runs.
     *
     * @param path such as {@code shop/api_key}; see {@link ReferencePath}
     */
    record Reference(ReferenceKind kind, String path) implements Root {
        @Override
        public JsonValue value(Scope scope) {
            return JsonValue.ofString(placeholder());
        }

        /** The text that stands for the value in inputs, histories and keys. */
        public String placeholder() {
            return "${{ " + this + " }}";
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(kind.root());
            ReferencePath.parts(path).forEach(part -> text.append(Segment.key(part, false)));
            return text.toString();
        }
    }
}
