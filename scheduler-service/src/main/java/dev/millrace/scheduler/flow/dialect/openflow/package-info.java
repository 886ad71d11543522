/**
 * The dialect {@code openflow}: Windmill's OpenFlow in JSON or YAML. See {@code docs/reference/openflow-dialect.md}.
 */
@NullMarked
package dev.millrace.scheduler.flow.dialect.openflow;

import org.jspecify.annotations.NullMarked;
