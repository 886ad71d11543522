package dev.millrace.scheduler.trace;

import io.opentelemetry.api.common.AttributeKey;

/** Keys of attributes. Those with {@code millrace} are ours; the others are OpenTelemetry's semantic conventions. */
final class TraceKeys {
    static final AttributeKey<String> WORKSPACE = AttributeKey.stringKey("millrace.workspace");
    static final AttributeKey<String> RUN_ID = AttributeKey.stringKey("millrace.run.id");
    static final AttributeKey<String> RUN_NAME = AttributeKey.stringKey("millrace.run.name");
    static final AttributeKey<String> RUN_STATE = AttributeKey.stringKey("millrace.run.state");
    static final AttributeKey<String> STEP_KEY = AttributeKey.stringKey("millrace.step.key");
    static final AttributeKey<String> STEP_KIND = AttributeKey.stringKey("millrace.step.kind");
    static final AttributeKey<String> STEP_STATE = AttributeKey.stringKey("millrace.step.state");
    static final AttributeKey<String> CHILD_RUN_ID = AttributeKey.stringKey("millrace.child_run.id");
    static final AttributeKey<String> JOB_ID = AttributeKey.stringKey("millrace.job.id");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("millrace.attempt");
    static final AttributeKey<String> WORKER = AttributeKey.stringKey("millrace.worker.name");
    static final AttributeKey<Boolean> FROM_CACHE = AttributeKey.booleanKey("millrace.from_cache");

    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> EXCEPTION_TYPE = AttributeKey.stringKey("exception.type");
    static final AttributeKey<String> EXCEPTION_MESSAGE = AttributeKey.stringKey("exception.message");
    static final AttributeKey<String> EXCEPTION_STACK = AttributeKey.stringKey("exception.stacktrace");

    /** Name of the event that describes an error. */
    static final String EXCEPTION = "exception";

    private TraceKeys() {}
}
