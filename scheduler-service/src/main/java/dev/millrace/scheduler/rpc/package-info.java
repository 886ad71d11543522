/** The gRPC server around the features: errors as google.rpc.Status, health, reflection and limits. */
@NullMarked
package dev.millrace.scheduler.rpc;

import org.jspecify.annotations.NullMarked;
