package dev.millrace.scheduler.operation;

import com.google.protobuf.ByteString;
import java.util.Optional;

/**
 * What a caller asks of a new run that begins at a step.
 *
 * @param step key of the step
 * @param input JSON; empty to keep the input of the original
 * @param flowHash version of the flow to execute; absent for the version of the original
 * @param stepInput JSON, in place of the input that the flow computes for the step; empty for none
 */
record RerunRequest(String step, ByteString input, Optional<String> flowHash, ByteString stepInput) {}
