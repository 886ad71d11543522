package dev.millrace.telemetry;

import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;

/** Gives OpenTelemetry's exporters the gRPC library that the services have already. */
public final class GrpcChannelSenderProvider implements GrpcSenderProvider {
    @Override
    public GrpcSender createSender(GrpcSenderConfig config) {
        return new GrpcChannelSender(config);
    }
}
