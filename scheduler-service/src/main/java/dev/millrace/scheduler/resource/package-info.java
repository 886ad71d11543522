/**
 * Resources: JSON values that steps use and whose texts may refer to secrets. {@link
 * dev.millrace.scheduler.resource.Resources} is the entry point.
 */
@NullMarked
package dev.millrace.scheduler.resource;

import org.jspecify.annotations.NullMarked;
