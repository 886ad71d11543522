package dev.millrace.scheduler.audit;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import dev.millrace.scheduler.access.RpcRule;

/**
 * A method of ours, as the audit sees it.
 *
 * @param service full name of its service
 * @param action its name, which events hold, save for what {@link #action(Message)} tells apart
 * @param isAudited whether each call leaves an event; refused calls always do
 * @param facts what is kept of its requests
 */
record AuditedMethod(String service, String action, boolean isAudited, RequestFacts facts) {
    /** Action of a deployment that leads no path to the version, as a run of a file begins. */
    private static final String STORE_VERSION = "StoreVersion";

    static AuditedMethod of(MethodDescriptor method) {
        RpcRule rule = RpcRule.of(method);
        return new AuditedMethod(
                method.getService().getFullName(),
                method.getName(),
                rule.isAudited(),
                new RequestFacts(method.getInputType(), rule.scope()));
    }

    /** What a request does, as the event of its call says. */
    String action(Message request) {
        return facts.storesOnly(request) ? STORE_VERSION : action;
    }
}
