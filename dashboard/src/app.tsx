import { Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { Loading } from "./components/loading.tsx";
import { NotFound } from "./components/not-found.tsx";
import { ConnectionNotice } from "./layout/connection-notice.tsx";
import { ProjectProvider } from "./projects/project-context.tsx";
import { SessionProvider } from "./session/session-context.tsx";
import { lazyPart } from "./components/lazy-part.ts";

// Each page is fetched when it is first opened, and what is around them not before somebody is signed in.
const Shell = lazyPart(async () => ({ default: (await import("./layout/shell.tsx")).Shell }));
const SignInPage = lazyPart(() => import("./session/sign-in-page.tsx"));
const InvitationPage = lazyPart(() => import("./session/invitation-page.tsx"));
const AccountPage = lazyPart(() => import("./people/account-page.tsx"));
const MembersPage = lazyPart(() => import("./people/members-page.tsx"));
const AuditLogPage = lazyPart(() => import("./people/audit-log-page.tsx"));
const ProjectsPage = lazyPart(() => import("./projects/projects-page.tsx"));
const NewProjectPage = lazyPart(() => import("./projects/new-project-page.tsx"));
const OverviewPage = lazyPart(() => import("./projects/overview-page.tsx"));
const SettingsPage = lazyPart(() => import("./projects/settings-page.tsx"));
const KeysPage = lazyPart(() => import("./keys/keys-page.tsx"));
const JobsPage = lazyPart(() => import("./jobs/jobs-page.tsx"));
const NewJobPage = lazyPart(() => import("./jobs/new-job-page.tsx"));
const JobPage = lazyPart(() => import("./jobs/job-page.tsx"));
const PullRequestPage = lazyPart(() => import("./pulls/pull-request-page.tsx"));
const ReadersPage = lazyPart(() => import("./readers/readers-page.tsx"));

export function App() {
  return (
    <>
      <ConnectionNotice />
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/sign-in" component={SignInPage} />
          <Route path="/invitation" component={InvitationPage} />
          <Route>
            <SessionProvider>
              <SignedIn />
            </SessionProvider>
          </Route>
        </Switch>
      </Suspense>
    </>
  );
}

function SignedIn() {
  return (
    <Shell>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/">
              <Redirect to="/projects" replace />
            </Route>
            <Route path="/account" component={AccountPage} />
            <Route path="/members" component={MembersPage} />
            <Route path="/audit-log" component={AuditLogPage} />
            <Route path="/projects" component={ProjectsPage} />
            <Route path="/projects/new" component={NewProjectPage} />
            <Route path="/projects/:projectId" nest>
              {({ projectId }) => (
                <ProjectProvider projectId={projectId}>
                  <Switch>
                    <Route path="/" component={OverviewPage} />
                    <Route path="/jobs" component={JobsPage} />
                    <Route path="/jobs/new" component={NewJobPage} />
                    <Route path="/jobs/:jobId" component={JobPage} />
                    <Route path="/pull/:number" component={PullRequestPage} />
                    <Route path="/readers" component={ReadersPage} />
                    <Route path="/keys" component={KeysPage} />
                    <Route path="/settings" component={SettingsPage} />
                    <Route component={NotFound} />
                  </Switch>
                </ProjectProvider>
              )}
            </Route>
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}
