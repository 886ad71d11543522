package dev.millrace.scheduler.flow.dialect.conductor;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Types of tasks, each with the keys that not all types have. */
enum TaskType {
    SIMPLE,
    USER_DEFINED,
    DYNAMIC("dynamicTaskNameParam"),
    HTTP("asyncComplete"),
    HTTP_POLL,
    KAFKA_PUBLISH("asyncComplete"),
    JSON_JQ_TRANSFORM,
    INLINE("evaluatorType", "expression"),
    LAMBDA("scriptExpression"),
    SET_VARIABLE,
    TERMINATE,
    NOOP,
    SWITCH("evaluatorType", "expression", "decisionCases", "defaultCase"),
    DECISION("caseValueParam", "caseExpression", "decisionCases", "defaultCase"),
    FORK_JOIN("forkTasks"),
    FORK_JOIN_DYNAMIC("dynamicForkJoinTasksParam", "dynamicForkTasksParam", "dynamicForkTasksInputParamName"),
    JOIN("joinOn", "joinStatus", "evaluatorType", "expression"),
    EXCLUSIVE_JOIN("joinOn", "defaultExclusiveJoinTask"),
    DO_WHILE("loopCondition", "loopOver", "items", "evaluatorType"),
    WAIT,
    HUMAN,
    SUB_WORKFLOW("subWorkflowParam"),
    START_WORKFLOW,
    EVENT("sink", "asyncComplete");

    /** Keys with the same meaning for all types. */
    static final List<String> COMMON_KEYS = List.of(
            "name",
            "taskReferenceName",
            "type",
            "description",
            "inputParameters",
            "optional",
            "permissive",
            "startDelay",
            "retryCount",
            "taskDefinition",
            "cacheConfig",
            "rateLimited",
            "onStateChange",
            "asyncComplete",
            "workflowTaskType",
            "callbackFromWorker",
            "joinMode",
            "metadata");

    /** An unmodifiable set of {@code Set.of}. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<String> keys;

    TaskType(String... keys) {
        this.keys = Set.of(keys);
    }

    static Optional<TaskType> find(String word) {
        return Arrays.stream(values()).filter(type -> type.name().equals(word)).findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(TaskType::name).toList();
    }

    /** All keys that tasks of any type may have. */
    static List<String> allKeys() {
        return Stream.concat(
                        COMMON_KEYS.stream(),
                        Arrays.stream(values())
                                .flatMap(type -> type.keys.stream().sorted()))
                .distinct()
                .toList();
    }

    boolean takes(String key) {
        return COMMON_KEYS.contains(key) || keys.contains(key);
    }
}
