import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { Loading } from "./components/loading.tsx";
import { NotFound } from "./components/not-found.tsx";
import { ConnectionNotice } from "./layout/connection-notice.tsx";
import { ProjectProvider } from "./projects/project-context.tsx";
import { SessionProvider } from "./session/session-context.tsx";

// Each page is fetched when it is first opened, and what is around them not before somebody is signed in.
const Shell = lazy(async () => ({ default: (await import("./layout/shell.tsx")).Shell }));
const SignInPage = lazy(() => import("./session/sign-in-page.tsx"));
const InvitationPage = lazy(() => import("./session/invitation-page.tsx"));
const AccountPage = lazy(() => import("./people/account-page.tsx"));
const MembersPage = lazy(() => import("./people/members-page.tsx"));
const AuditLogPage = lazy(() => import("./people/audit-log-page.tsx"));
const ProjectsPage = lazy(() => import("./projects/projects-page.tsx"));
const NewProjectPage = lazy(() => import("./projects/new-project-page.tsx"));
const OverviewPage = lazy(() => import("./projects/overview-page.tsx"));
const SettingsPage = lazy(() => import("./projects/settings-page.tsx"));
const KeysPage = lazy(() => import("./keys/keys-page.tsx"));
const JobsPage = lazy(() => import("./jobs/jobs-page.tsx"));
const NewJobPage = lazy(() => import("./jobs/new-job-page.tsx"));
const JobPage = lazy(() => import("./jobs/job-page.tsx"));
const PullRequestPage = lazy(() => import("./pulls/pull-request-page.tsx"));
const ReadersPage = lazy(() => import("./readers/readers-page.tsx"));

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
