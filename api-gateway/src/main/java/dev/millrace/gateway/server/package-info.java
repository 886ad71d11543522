/** The status of the installation. */
@NullMarked
package dev.millrace.gateway.server;

import org.jspecify.annotations.NullMarked;
