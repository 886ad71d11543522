package dev.millrace.scheduler.audit;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.millrace.scheduler.access.RpcRule;

/**
 * A method of ours, as the audit sees it.
 *
 * @param service full name of its service
 * @param action its name, which events hold
 * @param isAudited whether each call leaves an event; refused calls always do
 * @param facts what is kept of its requests
 */
record AuditedMethod(String service, String action, boolean isAudited, RequestFacts facts) {
    static AuditedMethod of(MethodDescriptor method) {
        RpcRule rule = RpcRule.of(method);
        return new AuditedMethod(
                method.getService().getFullName(),
                method.getName(),
                rule.isAudited(),
                new RequestFacts(method.getInputType(), rule.scope()));
    }
}
