/** Tests of the gateway from its callers' view: real HTTP in front of a scheduler in memory. */
@NullMarked
package dev.millrace.gateway;

import org.jspecify.annotations.NullMarked;
